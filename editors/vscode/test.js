// SPDX-License-Identifier: MIT
// Does the extension start a server that answers? VS Code and its client are
// stand-ins; the server is the real one: HEDDLE names it.
'use strict';
const test = require('node:test');
const assert = require('node:assert');
const Module = require('node:module');
const { spawn } = require('node:child_process');

const made = [];
class LanguageClient {
  constructor(id, name, server, options) {
    made.push({ id, name, server, options });
  }
  async start() {}
  async stop() {
    made.push('stopped');
  }
}
const heddle = process.env.HEDDLE || 'heddle';
const settings = { path: heddle, options: ['--model', 'sc'] };
const standIns = {
  vscode: {
    workspace: {
      getConfiguration: () => ({ get: (name, other) => settings[name] ?? other }),
    },
  },
  'vscode-languageclient/node': { LanguageClient },
};
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
const extension = require('./extension.js');

function answerOf({ command, args }, params) {
  return new Promise((resolve, reject) => {
    const server = spawn(command, args);
    let text = '';
    server.on('error', reject);
    server.stdout.on('data', (part) => {
      text += part;
      const start = text.indexOf('\r\n\r\n');
      const size = Number(/Content-Length: (\d+)/.exec(text)?.[1]);
      if (start < 0 || text.length < start + 4 + size) return;
      server.kill();
      resolve(JSON.parse(text.slice(start + 4, start + 4 + size)));
    });
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    server.stdin.write(`Content-Length: ${message.length}\r\n\r\n${message}`);
  });
}

test('the extension starts heddle lsp', async () => {
  await extension.activate();
  const [{ server, options }] = made;
  assert.deepStrictEqual(server, { command: heddle, args: ['lsp'] });
  assert.deepStrictEqual(options.initializationOptions, { options: ['--model', 'sc'] });
  assert.deepStrictEqual(options.documentSelector.map((s) => s.language), ['c', 'cpp']);
  const answer = await answerOf(server, { initializationOptions: options.initializationOptions });
  assert.ok(answer.result.capabilities.hoverProvider);
  await extension.deactivate();
  assert.strictEqual(made[1], 'stopped');
});
