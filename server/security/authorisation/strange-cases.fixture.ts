import { inputsOf, signedInCalls } from './ask.fixture.ts'
import { type CallInputs, fill, type Names, type Path, slotsOf } from './call-inputs.fixture.ts'
import { type Asker, type Asking, beyond, type Kind, strangers } from './foreign-objects.fixture.ts'

export interface StrangeCase {
  name: string
  call: (typeof signedInCalls)[number]
  path: Path
  names: Names
  whose: string
  /** In a list, after one of the asker's own. */
  isBesideOwn: boolean
}

/** Every placeholder of every input, combined with every id that is not the asker's. */
export function casesOf(asker: Asker): StrangeCase[] {
  return signedInCalls.flatMap((call) =>
    slotsOf(inputsOf(call)).flatMap(({ path, names }) =>
      [...strangers[names.kind as Kind], ...(beyond[asker][names.kind as Kind] ?? [])].flatMap((whose) => {
        const one = { call, path, names, whose }
        const name = `${call.name}: ${path.join('.')} ${whose}`
        const inList = typeof path.at(-1) === 'number'
        const alone = { ...one, name, isBesideOwn: false }
        return inList ? [alone, { ...one, name: `${name}, beside an own one`, isBesideOwn: true }] : [alone]
      }),
    ),
  )
}

/** The valid input with another id in one place. */
export function inputWith({ call, path, isBesideOwn }: StrangeCase, { own }: Asking, uid: string): CallInputs {
  const input = fill(inputsOf(call), own, path, uid)
  if (!isBesideOwn) return input
  const [place, list] = path as [keyof CallInputs, string]
  const named = fill(inputsOf(call), own)[place] as Record<string, string[]>
  const given = input[place] as Record<string, string[]>
  return { ...input, [place]: { ...given, [list]: [...(named[list] ?? []), ...(given[list] ?? [])] } }
}
