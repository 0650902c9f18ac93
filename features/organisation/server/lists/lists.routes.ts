import { ownTransactions, routes, withAccounts } from '#server/http/routes.ts'
import * as calls from '../../calls/lists.ts'
import * as checklist from './checklist.service.ts'
import * as documents from './list-documents.service.ts'
import * as lists from './lists.service.ts'

export const listsRoutes = routes(calls, {
  listFloorStatuses: ({ tx, administrator, now }) => lists.presentStatuses(tx, administrator, now),
  addFloorStatus: withAccounts(({ tx, administrator, body, now }) => lists.addStatus(tx, administrator, now, body)),
  orderFloorStatuses: withAccounts(({ tx, administrator, body, now }) =>
    lists.orderStatuses(tx, administrator, now, body),
  ),
  changeFloorStatus: withAccounts(({ tx, administrator, params, body, now }) =>
    lists.changeStatus(tx, administrator, now, { params, body }),
  ),
  listEventTypes: ({ tx, administrator, now }) => lists.presentEventTypes(tx, administrator, now),
  addEventType: withAccounts(({ tx, administrator, body, now }) => lists.addType(tx, administrator, now, body)),
  addEventTypeSet: withAccounts(({ tx, administrator, body, now }) => lists.addTypeSet(tx, administrator, now, body)),
  changeEventType: withAccounts(({ tx, administrator, params, body, now }) =>
    lists.changeType(tx, administrator, now, { params, body }),
  ),
  listChecklist: ({ tx, administrator, now }) => checklist.presentItems(tx, administrator, now),
  addChecklistItem: withAccounts(({ tx, administrator, body, now }) => checklist.addItem(tx, administrator, now, body)),
  orderChecklist: withAccounts(({ tx, administrator, body, now }) =>
    checklist.orderItems(tx, administrator, now, body),
  ),
  changeChecklistItem: withAccounts(({ tx, administrator, params, body, now }) =>
    checklist.changeItem(tx, administrator, now, { params, body }),
  ),
  listTemplateRows: ({ tx, administrator, now }) => lists.presentTemplates(tx, administrator, now),
  addTemplate: withAccounts(({ tx, administrator, body, now }) => lists.addTemplateRow(tx, administrator, now, body)),
  changeTemplate: withAccounts(({ tx, administrator, params, body, now }) =>
    lists.changeTemplateRow(tx, administrator, now, { params, body }),
  ),
  listDocumentRows: ({ tx, app, administrator }) => documents.presentDocumentRows(app, tx, administrator),
  storeDocumentFile: ownTransactions(({ app, administrator, content }) =>
    documents.storeFile(app, administrator, content),
  ),
  addDocument: withAccounts(({ tx, app, administrator, body }) =>
    documents.addDocumentRow(app, tx, administrator, body),
  ),
  changeDocument: withAccounts(({ tx, app, administrator, params, body }) =>
    documents.changeDocumentRow(app, tx, administrator, { params, body }),
  ),
})
