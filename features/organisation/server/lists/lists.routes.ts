import type { FastifyInstance } from 'fastify'
import { serveConsole, takeBytes } from '#server/http/serve.ts'
import * as calls from '../../calls/lists.ts'
import * as checklist from './checklist.service.ts'
import * as documents from './list-documents.service.ts'
import * as lists from './lists.service.ts'

export async function listsRoutes(app: FastifyInstance) {
  const now = () => app.clock.now()
  takeBytes(app)

  serveConsole(app, calls.listFloorStatuses, ({ administrator, read }) =>
    read((tx) => lists.presentStatuses(tx, administrator, now())),
  )
  serveConsole(app, calls.addFloorStatus, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.addStatus(tx, administrator, now(), input.body)),
  )
  serveConsole(app, calls.orderFloorStatuses, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.orderStatuses(tx, administrator, now(), input.body)),
  )
  serveConsole(app, calls.changeFloorStatus, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.changeStatus(tx, administrator, now(), input)),
  )
  serveConsole(app, calls.listEventTypes, ({ administrator, read }) =>
    read((tx) => lists.presentEventTypes(tx, administrator, now())),
  )
  serveConsole(app, calls.addEventType, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.addType(tx, administrator, now(), input.body)),
  )
  serveConsole(app, calls.changeEventType, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.changeType(tx, administrator, now(), input)),
  )
  serveConsole(app, calls.listChecklist, ({ administrator, read }) =>
    read((tx) => checklist.presentItems(tx, administrator, now())),
  )
  serveConsole(app, calls.addChecklistItem, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => checklist.addItem(tx, administrator, now(), input.body)),
  )
  serveConsole(app, calls.orderChecklist, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => checklist.orderItems(tx, administrator, now(), input.body)),
  )
  serveConsole(app, calls.changeChecklistItem, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => checklist.changeItem(tx, administrator, now(), input)),
  )
  serveConsole(app, calls.listTemplateRows, ({ administrator, read }) =>
    read((tx) => lists.presentTemplates(tx, administrator, now())),
  )
  serveConsole(app, calls.addTemplate, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.addTemplateRow(tx, administrator, now(), input.body)),
  )
  serveConsole(app, calls.changeTemplate, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => lists.changeTemplateRow(tx, administrator, now(), input)),
  )
  serveConsole(app, calls.listDocumentRows, ({ administrator, read }) =>
    read((tx) => documents.presentDocumentRows(app, tx, administrator)),
  )
  serveConsole(app, calls.storeDocumentFile, ({ administrator, content }) =>
    documents.storeFile(app, administrator, content),
  )
  serveConsole(app, calls.addDocument, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => documents.addDocumentRow(app, tx, administrator, input.body)),
  )
  serveConsole(app, calls.changeDocument, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => documents.changeDocumentRow(app, tx, administrator, input)),
  )
}
