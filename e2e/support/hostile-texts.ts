const run = 'window.hit=1,alert(1)'

/** Texts that break out of their HTML context and run script. */
const scripts = ['', '">', "'>", '</p>', '</textarea>', '</title>', '-->', ']]>'].flatMap((out) =>
  [
    `<script>${run}</script>`,
    `<img src=x onerror=${run}>`,
    `<svg onload=${run}>`,
    `<iframe srcdoc="<script>parent.hit=1</script>">`,
    `<details open ontoggle=${run}>`,
    `<a href="javascript:${run}">x</a>`,
    `<style>@import'/x';*{color:red}</style>`,
    `<base href=//evil.test>`,
    `<meta http-equiv=refresh content=0;url=//evil.test>`,
    `<form action=//evil.test><input autofocus onfocus=${run}>`,
    `<math><mtext></p><mglyph><style><img src=x onerror=${run}>`,
    `<template shadowrootmode=open><script>${run}</script></template>`,
    `<link rel=stylesheet href=//evil.test/x.css>`,
  ].map((what) => out + what),
)

const handlers = ['" onmouseover="', "' onfocus='", '` onload=`', '" style="position:fixed;inset:0" x="'].flatMap(
  (out) => [`${out}${run}`, `x${out}${run}//`],
)

const others = [
  // URLs that run script or lead to another site
  ...[
    `javascript:${run}`,
    `JaVaScRiPt:${run}`,
    `java\u00adscript:${run}`,
    'data:text/html,<script>hit=1</script>',
    '//evil.test',
    'https://evil.test',
  ],
  // template and query injection
  ...[
    '{{constructor.constructor("hit=1")()}}',
    '#{7*7}',
    '<%= 7*7 %>',
    '{{7*7}}',
    '[[7*7]]',
    '%{7*7}',
    '@{7*7}',
    '{% debug %}',
    '$(id)',
    '`id`',
  ],
  ...[
    "' or '1'='1",
    "'; drop table person; --",
    '" or ""="',
    "1'||pg_sleep(9)||'",
    ') union select null--',
    '%',
    '_',
    '\\',
    '%25',
    "''",
  ],
  // spreadsheet formulas
  ...[
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(1)',
    "=cmd|'/c calc'!A1",
    '=HYPERLINK("//evil.test")',
    '＝1+1',
    '＋1',
    '−1',
    '；=1',
  ],
  // values that programs mistake for something else
  ...[
    'null',
    'undefined',
    'NaN',
    'true',
    'false',
    '0',
    '-0',
    '1e400',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    '{}',
    '[]',
  ],
  ...[
    '../../etc/passwd',
    'C:\\con',
    'AUX',
    '~',
    '.',
    '..',
    '*',
    '?',
    '#',
    '&amp;',
    '&lt;b&gt;',
    '&#60;',
    '%3Cb%3E',
    '\\u003cb\\u003e',
  ],
  // right-to-left, zero-width, stacked marks, beyond the first Unicode plane
  ...[
    '\u202eoverride\u202c',
    '\u2066isolate',
    '\u200fשלום',
    'مرحبا',
    'zero\u200bwidth',
    '\u2060',
    'soft\u00adhyphen',
    '\ufefftext',
    '\u2028line',
    'a\u0301'.repeat(40),
  ],
  ...[
    '👩‍👩‍👧‍👦👩🏽‍🚒🏳️‍🌈',
    '🇦🇺🇳🇿',
    '𝕋𝕠𝕨𝕖𝕣',
    'ﷺ',
    '꧁꧂',
    'İıßſ',
    'ｆｕｌｌ',
    'Z̷̛̜a̸l̴g̵o̶',
    'ＡＢＣ',
    '田中さん',
    '한국어',
    'ไทย',
  ],
  // very long, without a break opportunity
  ...[
    'W'.repeat(100),
    'i'.repeat(100),
    '_'.repeat(100),
    '.'.repeat(100),
    '田'.repeat(100),
    '👍'.repeat(50),
    `${'a'.repeat(49)}\u200b${'b'.repeat(49)}`,
  ],
]

/** All texts that a person may type or import, each once and at most a hundred characters long. */
export const hostileTexts = [...new Set([...scripts, ...handlers, ...others])].filter(({ length }) => length <= 100)
