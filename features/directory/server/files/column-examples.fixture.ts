import type { Column, ReadByHand } from '../../column-kinds.ts'

type KindName = Exclude<Column['kind'], ReadByHand>
type Examples = readonly [string, string]

/** Two different cells of each kind. The first is not what an empty one stands for. */
const examples: { [K in KindName]: (column: Column & { kind: K }) => Examples } = {
  text: () => ['Harbour', 'Quay'],
  lines: () => ['Deaf', 'Has a dog\nand a cane'],
  'place code': () => ['S1', 'S2'],
  word: ({ of, empty }) => {
    const others = of.filter((word) => word !== empty).reverse()
    return [others[0] ?? '', others[1] ?? of[0] ?? '']
  },
  'yes or no': ({ empty }) => (empty === true || empty === null ? ['no', 'yes'] : ['yes', 'no']),
  'one or zero': () => ['1', '0'],
  'whole number': () => ['1', '2'],
  count: ({ least, usual }) => [String(usual === least + 1 ? least : least + 1), String(least + 2)],
  shifts: () => ['07:00;15:00;23:00', '08:30'],
  zone: () => ['Pacific/Auckland', 'UTC'],
  colour: () => ['grey', '#a0b0c0'],
  modules: () => ['Event_Management', 'Floor_Evacuation My_Messages'],
  email: () => ['office@small.test', 'desk@small.test'],
  emails: () => ['office@small.test desk@small.test', 'desk@small.test'],
  mobile: () => ['+61 491 000 901', '+61 491 000 902'],
  phone: () => ['+61 291 000 901', '+61 491 000 902'],
  link: () => ['https://example.com/plan.pdf', 'https://example.com/map.pdf'],
}

/** Undefined where the reader of the row reads the cell beside others. */
export const examplesOf = (column: Column): Examples | undefined => {
  const make = (examples as Record<string, ((column: Column) => Examples) | undefined>)[column.kind]
  return make?.(column)
}
