import type { AnySchema } from '../../http/body-size.ts'
import type { Random } from './random.fixture.ts'

/** Texts of people who write in other scripts. */
const scripts = [
  'مخرج الطوارئ ١٢',
  'שָׁלוֹם עוֹלָם',
  'ทางหนีไฟชั้น ๓ น้ำ',
  'ផ្លូវចេញ​គ្រា​អាសន្ន',
  'आपातकालीन निकास क्षि',
  '緊急出口三樓𠮷',
  '비상구 각',
  'Nguyễn Thị Ánh'.normalize('NFD'),
  'Ὀδυσσεύς İıſẞ ﬃ',
  '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇦🇺1️⃣',
  'မီးဘေး ထွက်ပေါက်',
  'தமிழ் அவசர ஸ்ரீ',
  'ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ',
]
/** Format characters, halves of characters, and what looks empty. */
const formats = [
  ...[
    'a\u202eb',
    'a\u200bb',
    'a\u200db',
    'a\u2028b',
    'a\u2029b',
    'in\u00adfo',
    'a\ufe0fb',
    'a\u{e0041}\u{e007f}',
    'a\u2066b',
  ],
  ...[
    '\ufeffa',
    'a\ufeff',
    'a\ud800',
    '\udc00a',
    '\ud83d',
    'a\u0000b',
    'a\u0085b',
    'a\u001bb',
    'a\ufffe',
    'a\ufffd',
    '\u{10ffff}',
  ],
  ...[
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u3164',
    '\u115f',
    '\u2800',
    '\u180e',
    '\u{e0020}',
    '\ufe0f',
    '\u00a0',
    '\u3000',
    '\u034f',
  ],
  ...[' a', 'a\u00a0', '\u3000a\u3000', 'a\u200b', 'a\r\nb', 'a\tb', 'a\vb'],
]
const numbers = [
  '１２',
  '－１',
  '+１',
  '१२',
  '١٢',
  '-0',
  '1e308',
  '9007199254740993',
  '1e3',
  '0x1F',
  '1_000',
  '1,5',
  '∞',
  '½',
  '²',
  '1'.repeat(60),
]
const graphemes = [
  `a${'\u0301'.repeat(100)}`,
  `e${'\u0323\u0302'.repeat(64)}`,
  `ก${'\u0e49'.repeat(90)}`,
  '👍\u200d'.repeat(30),
  '\u0301',
  '\u0e33',
  '\u1100'.repeat(50),
]
const days = [
  ...[
    '2026-02-30',
    '2026-02-29',
    '2028-02-29',
    '0000-01-01',
    '0001-01-01',
    '1582-10-10',
    '1899-12-31',
    '1900-01-01',
    '9999-12-31',
  ],
  ...[
    '10000-01-01',
    '+010000-01-01',
    '-0001-12-31',
    '2011-12-30',
    '2026-03-29',
    '2026-10-25',
    '2026-10-04',
    '2026-04-05',
    '２０２６-01-01',
    '2026-1-1',
  ],
  ...[
    '٢٠٢٦-٠١-٠١',
    '2026-01-01\n',
    '2199-12-31',
    '2200-01-01',
    '2026-12-31T00:00:00Z',
    '275760-09-13',
    'today+9999',
    'today-9999',
  ],
]
export const hardTimes = [
  ...[
    '2026-02-30T10:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:59:60Z',
    '2016-12-31T23:59:60Z',
    '2026-03-29T02:30:00+01:00',
  ],
  ...[
    '2026-03-29T02:30:00',
    '2026-01-01T00:00:00+14:00',
    '2026-01-01T00:00:00-14:00',
    '2026-01-01T00:00:00+15:00',
    '2026-01-01T00:00:00-15:59',
    '2026-01-01T00:00:00+24:00',
  ],
  ...[
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59-14:00',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
  ],
  ...[
    '2011-12-30T12:00:00-10:00',
    '2026-01-01T00:00:00.123456789Z',
    '2026-01-01t00:00:00z',
    '2026-01-01 00:00:00Z',
    '２０２６-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ],
]

export const hardTexts = [...scripts, ...formats, ...numbers, ...graphemes]
const hardNumbers = [-0, 1e308, 2 ** 53 + 2, -(2 ** 53), 2_147_483_647, 1.5, 9e15, 1e21]
const all = [...hardTexts, ...days, ...hardTimes]

/** A text that is hard to store, to order or to draw; of a kind that the field takes, more often than not. */
export function hardText(
  random: Random,
  { format, pattern, maxLength = 2_000, minLength = 0 }: Partial<AnySchema> = {},
): string {
  if (random.chance(0.8)) {
    if (format === 'date-time') return random.pick(hardTimes)
    if (format === 'date' || pattern?.includes('{4}')) return random.pick(days)
  }
  if (random.chance(0.5)) return cut(random.pick(hardTexts), maxLength).padEnd(minLength, 'x')
  const long = Array.from({ length: random.pick([2, 3, 40]) }, () => random.pick(all)).join(
    random.pick(['', ' ', '\n']),
  )
  return cut(long, random.chance(0.9) ? maxLength : maxLength + 1).padEnd(minLength, 'x')
}

/** At most so many characters, as schemas count them. */
const cut = (text: string, length: number) => Array.from(text).slice(0, length).join('')

/** The value with one text, number or list of texts that its schema knows replaced by a hard one. */
export function withHardLeaf(schema: AnySchema, value: unknown, random: Random): unknown {
  const { anyOf, items, properties, type } = schema
  if (anyOf) return withHardLeaf(random.pick(anyOf), value, random)
  if (type === 'array' && items) {
    const list = Array.isArray(value) ? value : []
    const at = random.below(Math.max(1, list.length))
    return list.toSpliced(at, 1, withHardLeaf(items, list[at], random))
  }
  if (properties && Object.keys(properties).length > 0) {
    const all = Object.entries(properties)
    const hard = all.filter(([, of]) => isHard(of))
    const [name, of] = random.pick(hard.length > 0 ? hard : all)
    const held = (value ?? {}) as Record<string, unknown>
    return { ...held, [name]: withHardLeaf(of, held[name], random) }
  }
  if (type === 'string' && schema.format !== 'uuid' && !schema.enum) return hardText(random, schema)
  if (type === 'integer' || type === 'number') return random.pick(hardNumbers)
  return value
}

/** Something in it takes more than ids, words of a list and yes or no. */
function isHard({ anyOf = [], items, properties = {}, type, format, enum: words, ...rest }: AnySchema): boolean {
  if (type === 'string') return format !== 'uuid' && !words && !('const' in rest)
  if (type === 'integer' || type === 'number') return !('const' in rest)
  return [...anyOf, ...(items ? [items] : []), ...Object.values(properties)].some(isHard)
}
