import type { RecordAddition } from '#features/records/calls/additions.ts'
import type { ExportNames } from '#features/records/kinds.ts'

/** Who added something: 'Kim Lee (Floor Warden)', or the role alone. */
export const byOf = ({ by, role }: Pick<RecordAddition, 'by' | 'role'>, names: ExportNames): string =>
  names === 'none' ? (role ?? '–') : `${by}${role ? ` (${role})` : ''}`
