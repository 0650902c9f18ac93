import { headProves } from '#features/log/words.ts'
import { timesOf } from '#features/records/times.ts'
import type { ExportTask } from '../export-task.ts'
import { capStatus, type RecordData } from '../record-data.ts'

/** README.txt of a bundle, for someone who has never seen one. */
export function readmeOf({ head, key }: ExportTask, { record, isWhole }: RecordData, hasPdf: boolean): string {
  const times = timesOf(record)
  return `Record ${record.number}: ${record.type} at ${record.site.name}
It began at ${times.moment(record.started_at)} and ended at ${times.moment(record.ended_at)}. ${times.zone}.
${record.kind === 'drill' ? 'This was a DRILL, an exercise' : 'This was a live event'} (status: ${capStatus(record)}).

Log head: ${head ? `${head.size} ${head.root}` : 'none'}
Signed by: ${key.name}+${key.keyId}

What is in this file
  ${hasPdf ? 'record.pdf      the record, to read' : 'record.pdf is not here: this server makes none, or the record has more than 8,000 rows'}
  record.json     the same figures, with what people added
  csv/            spreadsheets
  *.ndjson        the lines of the log: journal, people, texts, messages, and additions (entries)
  log/            the signed log in the format of C2SP tlog-tiles
  key.txt         the keys that signed it
  manifest.json   the SHA-256 of each file outside log/

How to check this record
  1. Take record-check.mjs from somewhere else than this file: from a server that you trust, at /api/record/checker, or
     from the source code of Evac. Anyone who forges a bundle can forge the checker in it.
  2. Get the key by another route than this file, and look for an earlier log head: in an email, on paper.
  3. node record-check.mjs THIS-FILE.zip --key 'KEY' --head 'SIZE ROOT'
     It needs Node 20 or newer and nothing else. It says INTACT, or BROKEN and where.

${headProves}
${isWhole ? '' : '\nThis bundle is for someone who may read only some places of the event. Lines about other places are withheld: their fingerprints are here.\n'}`
}
