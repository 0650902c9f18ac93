import { Type } from 'typebox'
import { defineCall } from '../../route.ts'

export const getTableTemplates = defineCall({
  summary: 'A zip of the files of the import format, each with its header and an example row (IMP-18)',
  method: 'GET',
  path: '/api/console/tables/templates',
  reply: Type.Object({ name: Type.String(), /** Base64. */ content: Type.String() }),
  policy: { access: 'console', right: 'tables' },
})

export const exportTables = defineCall({
  summary: 'A link to a zip of everything within reach, for two minutes; plans with the mark, never passwords (IMP-16)',
  method: 'POST',
  path: '/api/console/export',
  reply: Type.Object({ link: Type.String() }),
  policy: { access: 'console', right: 'tables', confirmed: true },
  refusals: ['confirm_identity'],
})
