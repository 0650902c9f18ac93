// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the product's own files
/** One break of what the records say: `from` in a file of the project is replaced by `to`. */
export interface Mutant {
  what: string
  file: string
  from: string
  to: string
}

const count = (file: string) => `features/records/server/count/${file}`

/** A break for each row of the table of figures and each invariant. The random events must notice each of them. */
export const mutants: readonly Mutant[] = [
  ...of('histories.ts', [
    ['the time seen does not count', 'Math.min(seen ?? recorded, recorded)', 'recorded'],
    ['a clock that is ahead counts', 'Math.min(seen ?? recorded, recorded)', '(seen ?? recorded)'],
    [
      'a history runs backward',
      'one.last = Math.max(this.#from, one.last, moment)',
      'one.last = Math.max(this.#from, moment)',
    ],
    ['what was overruled takes effect', 'if (!one || !fact.takesEffect ||', 'if (!one ||'],
    ['who left is in no count', 'stay.left ? { left: true } : ', ''],
    [
      'no one returns to their own floor',
      'if (this.#isPresent(stay.homeBuilding)) this.#move',
      'if (stay.homeBuilding === "") this.#move',
    ],
    ['time does not order', 'a.at - b.at || a.nth - b.nth', 'a.nth - b.nth'],
    [
      'floors of another action begin as if people left',
      'firstOf(this.#ground.statuses, offered)',
      'firstOf(this.#ground.statuses, null)',
    ],
    [
      'no one is counted again',
      "after?.again === true && status === 'safe'",
      "after?.again === 'yes' && status === 'safe'",
    ],
    ['refusals stay when people turn to something else', 'if (turns && refused)', 'if (turns && left)'],
    [
      'a drill that became live keeps its states',
      "this.#move(person, recorded, { status: 'unknown', refused: false })",
      'this.#move(person, recorded, {})',
    ],
  ]),
  ...of('part.ts', [
    ['refused: no one', 'if (refused) told.refused = true', 'if (refused) told.refused = false'],
    ['safe again: counted from the last danger', 'told.unsafe ??= at', 'told.unsafe = at'],
    ['first clear: the last', 'told.firstClear ??= at', 'told.firstClear = at'],
    ['clear: the last repeated report', 'if (told.clear !== null) return\n', ''],
    ['reopened: never', 'told.reopened++', ''],
    ['unseen: not the largest', 'Math.max(told.unseen, unseen)', 'unseen'],
    [
      'a report before a change of the action counts',
      "(how !== 'anew' && this.floors.get(floor))",
      'this.floors.get(floor)',
    ],
    ['set back is no end of clear', "if (how === 'back') {\n      told.clear = null", "if (how === 'back') {"],
  ]),
  ...of('walk.ts', [
    ['everyone after: the first time', 'part.everyone = step.at', 'part.everyone ??= step.at'],
    ['a step is its first instant', 'Math.floor(step.at / stepSeconds)', 'Math.ceil(step.at / stepSeconds)'],
    ['unseen: no one in danger', 'if (isUnaccounted(status) && !left)', "if (status === 'unknown' && !left)"],
    ['two states for each person', 'if (from) this.#count(from, -1)\n', ''],
    ['the replay keeps who went elsewhere', 'this.#changed.add(place)', 'if (by === 1) this.#changed.add(place)'],
    [
      'the curve forgets danger',
      'this.all[column[status]] += by',
      "this.all[status === 'danger' ? 0 : column[status]] += by",
    ],
  ]),
  ...of('people-figures.ts', [
    [
      'end counts: not who left',
      'if (!state || state.status === null)',
      'if (!state || state.status === null || state.left)',
    ],
    ['once in danger: also who ended so', 'longest !== null && endsSafe(nth)', 'longest !== null'],
    ['agreed: not who ended safe', 'tookBack || endsSafe(nth)', 'tookBack'],
    ['result: unknown is graver', 'if (danger > 0) return', 'if (danger > 0 && unknown === 0) return'],
    ['plans: everyone', 'ended.filter(({ isPlanned }) => isPlanned)', 'ended.slice()'],
    [
      'plans: the first who was safe',
      'times.length === 0 ? null : Math.max(...times)',
      'times.length === 0 ? null : Math.min(...times)',
    ],
    ['left: all at once', '`${leftAt.get(uid) ?? 0} ${building}`', "'left'"],
  ]),
  ...of('duties.ts', [
    ['answered: not who was on duty', 'wasOn ? from : (own[0]?.at ?? null)', 'own[0]?.at ?? null'],
    ['a warden who left takes part', 'created <= to && (closed === null || closed >= from)', 'created <= to'],
  ]),
  ...of('coverage.ts', [
    ['site wardens cover nothing', 'if (row && roams.has(signIn as SignInUid))', 'if (row && signIn === null)'],
    [
      'floors that were taken are not covered',
      'for (const { signIn, floor, from, to } of taken) cover',
      'for (const { signIn, floor, from, to } of taken.slice(1)) cover',
    ],
  ]),
  ...of('floor-figures.ts', [
    ['never covered: though something was recorded', ' && !touched.has(id)', ''],
    ['order: the last one first', '(a.clear ?? 0) - (b.clear ?? 0)', '(b.clear ?? 0) - (a.clear ?? 0)'],
  ]),
  ...of('calls-and-outages.ts', [
    ['late: after a minute', 'recorded - seen > lateSeconds', 'recorded - seen > 2 * lateSeconds'],
    [
      'late: not what was overruled',
      '= facts.flatMap(({ seen',
      '= facts.filter((one) => one.takesEffect).flatMap(({ seen',
    ],
    ['help: the time of the last text', ' && !calls.has(after?.report)', ''],
    ['help: not those beyond the limit', 'more += Number(after?.more ?? 0)', 'more += 0'],
    ['help: the longest time', 'Math.ceil(answers.length / 2) - 1', 'answers.length - 1'],
    ['instructions: the sender too', 'signIn !== sender &&', ''],
    [
      'outages that overlap are two',
      'joined(told.filter((one) => one.what === what).flatMap((gap) => within(gap, [part])))',
      'told.filter((one) => one.what === what).flatMap((gap) => within(gap, [part]))',
    ],
  ]),
  ...of('contact.ts', [['time of no one is a warden’s', 'without(gap, noOnes)', '[gap]']]),
  ...of('replay.ts', [
    ['a building that left is shown', "isIn(places[nth]?.building ?? '', step) ? status : outside", 'status'],
  ]),
  ...of('count.service.ts', [
    [
      'the part does not begin when it is live',
      "if (fact.action === 'drill_made_live') from",
      'if (fact.action === null) from',
    ],
    ['floors have the names of today', 'name: words.floor(row.floor)?.name ?? row.name', 'name: row.name'],
    [
      'instructions: those of the drill too',
      'instructionsOf(few, part,',
      'instructionsOf(few, { from: 0, to: seconds },',
    ],
  ]),
  ...inFile('features/records/server/figures.service.ts', [
    ['more floors were reported clear than there are', 'reported: rows.filter(', 'reported: rows.concat(rows).filter('],
  ]),
  ...inFile('features/events/server/change-action.service.ts', [
    [
      'the statuses of a new action have the names of today',
      "await keepChangedNames(tx, actor.clientUid, 'floorStatus',",
      'void (',
    ],
  ]),
  ...inFile('features/log/server/data-files.queries.ts', [
    ['ends.ndjson: the status of the drill', "'status', x.status,", "'status', coalesce(x.drill_status, x.status),"],
  ]),
  ...inFile('features/records/figures.ts', [
    ['texts: three do not add up', 'notSent: written - delivered - failed - withoutReceipt', 'notSent: 0'],
  ]),
  ...inFile('features/records/server/figures/texts.queries.ts', [
    ['texts: those of the drill too', ".where('createdAt', '>=', from)", ''],
  ]),
  ...inFile('features/records/server/records.queries.ts', [
    ['lists: not who left', '(v.active or v.left_with is not null and', '(v.active or false and'],
  ]),
  ...inFile('features/exports/server/packed-lines.ts', [
    ['people.csv: not who left', 'return left_with !== null &&', 'return false &&'],
  ]),
  ...inFile('features/records/server/record-sentences.ts', [
    ['a sentence names a person', '`${answers}: ', '`${record.started_by?.name} and ${answers}: '],
  ]),
]

type Break = [what: string, from: string, to: string]

function inFile(file: string, breaks: readonly Break[]): Mutant[] {
  return breaks.map(([what, from, to]) => ({ what, file, from, to }))
}

function of(file: string, breaks: readonly Break[]): Mutant[] {
  return inFile(count(file), breaks)
}
