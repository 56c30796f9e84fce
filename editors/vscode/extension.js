// SPDX-License-Identifier: MIT
// Starts `heddle lsp` for C and C++ files. Diagnostics, hovers and code actions are the
// server's; VS Code shows them as it does those of any other.
'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function activate() {
  const settings = vscode.workspace.getConfiguration('heddle');
  const server = { command: settings.get('path', 'heddle'), args: ['lsp'] };
  client = new LanguageClient('heddle', 'Heddle', server, {
    documentSelector: ['c', 'cpp'].map((language) => ({ scheme: 'file', language })),
    initializationOptions: { options: settings.get('options', []) },
  });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
