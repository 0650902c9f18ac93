import { setTimeout as delay } from 'node:timers/promises'
import { exportRecord, getExport } from '#features/exports/calls.ts'
import type { Row } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import type { PastEvent } from './past-event.ts'

/** AAR-39: the PDF of a large event without names, from asking until its link is there. */
export async function largePdfRows(event: PastEvent): Promise<Row[]> {
  const { ms, result: url } = await timed(() => exportedPdf(event))
  const pdf = Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1')
  const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? Number.NaN
  return [
    { name: 'PDF of the large event without names, ms', value: ms, target: '<= 3000 ms' },
    { name: 'its pages', value: pages, target: '<= 40' },
  ]
}

async function exportedPdf({ call, eventUid }: PastEvent): Promise<string> {
  const body = { format: 'pdf', names: 'none' } as const
  const { uid } = await call(exportRecord, { params: { eventUid: eventUid as never }, body })
  for (;;) {
    const { state, url, message } = await call(getExport, { params: { uid } })
    if (url) return url
    if (state === 'failed') throw new Error(`The PDF failed: ${message}`)
    await delay(50)
  }
}
