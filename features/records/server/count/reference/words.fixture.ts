import type { Model } from './model.fixture.ts'

const words: Record<string, string> = {
  evacuate: 'Evacuate',
  move: 'Move',
  shelter: 'Shelter',
  hold: 'Hold',
  secure: 'Secure',
  lockdown: 'Lockdown',
  release: 'All clear',
}
const done: Record<string, string> = {
  evacuate: 'clear',
  move: 'clear',
  shelter: 'sheltered',
  hold: 'in place',
  secure: 'locked',
  lockdown: 'locked',
}

/** How sentences should speak: by the last action of each building that ever was in the event, a release apart. */
export function wordsOf(m: Model) {
  const last = m.world.buildings
    .filter(({ id }) => m.presence(id).length > 0)
    .map(({ id }) => m.actionOf(id, m.acts.length, true))
  const voice = (actions: readonly string[]) => {
    const leaving = actions.filter(m.leaves).length
    return leaving === actions.length ? 'leave' : leaving === 0 ? 'stay' : 'mixed'
  }
  const [safe, danger] = {
    leave: ['safe', 'in danger'],
    stay: ['accounted for', 'in need of help'],
    mixed: ['safe or accounted for', 'in danger or in need of help'],
  }[voice(last)] as [string, string]
  const refused = {
    leave: ['refused to leave', 'later left or agreed to', 'later left or agreed to leave'],
    stay: [
      ...['left against the instruction', 'later came back or was accounted for'],
      'later came back or were accounted for',
    ],
    mixed: [
      ...['refused to leave or left against the instruction', 'later did as told or was accounted for'],
      'later did as told or were accounted for',
    ],
  }[voice([m.world.begins, ...m.changed])] as [string, string, string]
  return {
    voice: voice(last),
    safe,
    danger,
    recordedSafe: safe === 'safe' ? safe : `as ${safe}`,
    done: [...new Set(last.map((action) => done[action]))].sort().join(' or '),
    refused: refused[0],
    one: refused[1],
    some: refused[2],
  }
}

/** Sentence 25, for each change and what was done before it. */
export function changesOf(m: Model, clock: (second: number) => string): [number, string][] {
  return m.acts.flatMap((deed, nth): [number, string][] => {
    if (deed.did !== 'change') return []
    const there = m.world.buildings.filter(({ id }) => deed.buildings.includes(id))
    // the place to go to may change alone
    const before = [...new Set(there.map(({ id }) => m.actionOf(id, nth - 1)))].filter((was) => was !== deed.action)
    return before.map((was) => {
      const names = there.filter(({ id }) => m.actionOf(id, nth - 1) === was).map(({ name }) => name)
      const from = `${words[was]} to ${words[deed.action]}`
      return [25, `At ${clock(deed.at).slice(0, 5)} the action in ${names.join(', ')} changed from ${from}.`]
    })
  })
}
