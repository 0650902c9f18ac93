import { useState } from 'react'
import { Dialog } from '../ui/popups/dialog.tsx'

/** A change, what becomes of it at a site with a running event, and what the phones of wardens show. */
const changes = [
  ['Name, email, mobile', 'At once. The order in lists stays until the event ends.', 'At once'],
  ['Floor of a person; new staff; new building or floor', 'At once here. Counted from the next event on.', 'Nothing'],
  ['Visitor of today', 'At once. Joins the event as unknown.', 'At once'],
  ['Plan', 'At once', 'At once'],
  [
    'Deactivation of an occupant, or of a warden not on duty',
    'At once. The person stays on, or joins, the running list: still to be accounted for.',
    'At once',
  ],
  ['Deactivation, ended assignment of a warden on duty', 'Waits until the warden is off duty.', 'Nothing'],
  ['Assignment made, accepted or ended, not on duty', 'At once: joins the event, or becomes an occupant.', 'At once'],
  ['Modules added to a role', 'At once', 'After the next rejoin'],
  ['Modules taken from a role, its domain, role off', 'Not while a holder is on duty.', 'Nothing'],
  [
    'Place or status renamed, ordered, coloured; status out of use',
    'At once. A status out of use is no longer offered.',
    'At once',
  ],
  [
    'Place retired; participant merged or erased; type of the event renamed; time zone; texts off',
    'Not before the event has ended.',
    'Nothing',
  ],
  [
    'Upload of up to 5,000 changes',
    'As its rows. Not before the event has ended if it changes the organisation, sites, roles or event types.',
    'As its rows',
  ],
  ['Larger upload, or undo, with any event running', 'Not before the event has ended.', 'Nothing'],
  ['Administrators, templates, documents', 'At once. No session of a warden ends.', 'When next opened'],
] as const

/** What may change while an event runs. */
export function WhatMayChange() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="console-link" onClick={() => setOpen(true)}>
        What may change now
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="What may change now">
        <ul className="grid gap-3">
          {changes.map(([change, here, phones]) => (
            <li key={change} className="border-t border-hairline pt-3">
              <p className="font-semibold">{change}</p>
              <p>{here}</p>
              <p className="text-sm text-muted">Phones of wardens: {phones.toLowerCase()}</p>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
