import rules from './.dependency-cruiser.mjs'

/** Folders that import each other. Tests are left out: what a test sets up comes from any room. */
export default {
  forbidden: [
    {
      severity: 'error',
      name: 'no-folder-cycles',
      comment: 'Two folders that import each other are one folder, or hide a third.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...rules.options,
    exclude: { path: '\\.(test|spec|fixture)\\.tsx?$|/testing/|node_modules|^(web/dist|e2e/output|bench/out)/' },
  },
}
