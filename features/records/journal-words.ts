import { actions, inWords } from '#features/live-updates/actions.ts'

/** What an entry of the journal is about: the choices of the filter, in their order. */
export const entryKinds = [...actions].flatMap(([value, { word }]) => (word ? [{ value, label: word }] : []))

export const entryKind = (action: string) => actions.get(action)?.word ?? inWords(action)
