/** Pixels. */
const rowWidth = 300
const rowHeight = 16
const cellWidth = 38
const cellHeight = 15
const highestCell = 28
/** In bands there is room for a mark and three digits, and for words of names. */
const bandCellWidth = 48
/** Between two buildings, and of one all but its floors: head and border. */
const rowsGap = 10
const rowsHead = 44
const cellsGap = 3
const cellsHead = 40

export type Form = 'rows' | 'cells'
export interface Fit {
  form: Form
  /** Buildings beside each other. */
  columns: number
  /** Nothing scrolls. */
  isWhole: boolean
  /** Height of a cell in pixels, the same in all buildings: a level is a line. Rows have the heights of their grid. */
  line: number
}
interface Room {
  width: number
  height: number
  buildings: number
  /** Floors of the highest building. */
  floors: number
}

const across = (width: number, each: number, gap: number) => Math.max(1, Math.floor((width + gap) / (each + gap)))

function fitAs(form: Form, { width, height, buildings, floors }: Room): Fit {
  const [each, gap, head, lowest] =
    form === 'rows' ? [rowWidth, rowsGap, rowsHead, rowHeight] : [cellWidth, cellsGap, cellsHead, cellHeight]
  const isWhole = across(width, each, gap) >= buildings && floors * lowest + head <= height
  const columns = across(width, form === 'cells' && !isWhole ? bandCellWidth : each, gap)
  const line = isWhole ? Math.min(highestCell, (height - head) / floors) : lowest
  return { form, columns: Math.min(columns, buildings), isWhole, line }
}

/** Rows where they fit, else cells, in bands that scroll where they do not fit either. `wish` is of 'More'. */
export function fitOf(room: Room, wish: Form | null): Fit {
  const rows = fitAs('rows', room)
  if (wish === 'rows' || (wish === null && rows.isWhole)) return rows
  return fitAs('cells', room)
}
