-- SPDX-License-Identifier: MIT
-- Heddle in Neovim (0.8 or later): put this into ~/.config/nvim/plugin. It
-- starts `heddle lsp` for C and C++ files. What the server can do has Neovim's usual
-- keys: K is a hover, vim.lsp.buf.code_action() offers the execution's page and
-- the optimiser's patch.
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "c", "cpp" },
  callback = function(event)
    local markers = { ".git", "compile_commands.json", "build" }
    local found = vim.fs.find(markers, { upward = true, path = event.file })[1]
    vim.lsp.start({
      name = "heddle",
      cmd = { "heddle", "lsp" },
      root_dir = found and vim.fs.dirname(found) or vim.fn.getcwd(),
      -- init_options = { options = { "--model", "armv8" } },
    })
  end,
})
