import type { Random } from './random.fixture.ts'

const uid = 'c0000000-0000-4000-8000-000000000000'

/** Texts that often break programs. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\t',
    '\n',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udc00',
    '\ufeff',
    '\u202etxt.exe',
    '\u200b\u200d',
    '\uffff',
  ],
  ...[
    'e\u0301'.repeat(50),
    '👩‍👩‍👧‍👦'.repeat(30),
    '\u{1f1e6}',
    'ﷺ',
    'İ',
    'ß',
    '𝕒',
    '\u2028\u2029',
    '\r\nSet-Cookie: a=b',
  ],
  ...["'", '"', "' or '1'='1", "'; drop table person; --", '%', '_', '%%%', '\\', '$1', '$$', '{{7*7}}', '#{7*7}'],
  ...[
    '<script>alert(1)</script>',
    '../../../etc/passwd',
    'C:\\',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '%00',
    '%s%n',
  ],
  ...[
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '-1',
    '1e400',
    '0x10',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    '=1+1',
    '@a',
    '2026-02-30',
    '9999-99-99',
    '+61400000000',
    '٣',
    'all',
    'all,all',
    '*',
    ':',
    ';',
    ',',
    '(',
    '[',
    '.*',
  ],
  ...[
    uid,
    uid.toUpperCase(),
    `{${uid}}`,
    `${uid}\n`,
    ` ${uid}`,
    uid.replaceAll('-', ''),
    `${uid}x`,
    `urn:uuid:${uid}`,
    `${uid},${uid}`,
  ],
]
const longText = (random: Random) =>
  random.pick(['a', 'é', '👍', '"', '\u0000', '٣']).repeat(random.pick([131, 300, 5000, 66_000]))

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Positions in a list as a hostile client might send them. */
const oddPlaces = [
  {},
  [],
  null,
  1,
  [null],
  ['x'],
  ['x', 'y'],
  [1, 2, 3],
  { name: 1, uid: 2 },
  ['\u0000', uid],
  [[], {}],
  'x',
]
const oddCursors = [...oddPlaces.map(encoded), '====', 'e30', Buffer.from([0xff, 0xfe]).toString('base64url')]

const oddNumbers = [
  0,
  -0,
  -1,
  1,
  0.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e19,
  1e308,
  -1e308,
  5e-324,
  2_147_483_648,
]

/** Keys that pollute prototypes, keys named like columns, and unknown keys. */
export const oddKeys = [
  ...['__proto__', 'constructor', 'prototype', 'toString', '', ' ', '\u0000', 'a'.repeat(3000), '$where', 'length'],
  ...[
    'client_uid',
    'account_uid',
    'status',
    'Is_Client_Master',
    'modules',
    'revoked_at',
    'uid',
    'id',
    'token',
    'password',
  ],
]

export const oddText = (random: Random): string => (random.chance(0.1) ? longText(random) : shortText(random))
const shortText = (random: Random) => random.pick(random.chance(0.15) ? oddCursors : oddTexts)

/** Any JSON value. Texts in lists are short: a list of 600 long ones would only test the size limit, slowly. */
export function oddValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 2 ? 6 : 10)
  if (kind < 3) return depth < 2 ? oddText(random) : shortText(random)
  if (kind === 3) return random.pick(oddNumbers)
  if (kind === 4) return random.pick([true, false])
  if (kind === 5) return null
  if (kind === 6) return nested(random.pick([2, 20, 200, 2000]), random.chance(0.5))
  if (kind === 7) return Array.from({ length: random.pick([0, 1, 3, 600]) }, () => oddValue(random, depth + 2))
  if (kind === 8) return {}
  return { [random.pick(oddKeys)]: oddValue(random, depth + 1), [random.pick(oddKeys)]: oddValue(random, depth + 1) }
}

function nested(levels: number, inObjects: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = inObjects ? { a: value } : [value]
  return value
}
