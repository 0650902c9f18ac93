import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { listPlaces } from './who-is-who.queries.ts'

/** 'Building - Floor' and 'Building/Floor' alike. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?\/ ?| [-\u2013] /g, '/')
    .trim()

/** Floors by what a table may call them: building and floor, each by name or code, or the floor alone. */
export class FloorNames {
  readonly #byName = new Map<string, Set<string>>()
  readonly #byUid = new Map<string, string>()

  static async of(db: Db, clientUid: ClientUid): Promise<FloorNames> {
    const names = new FloorNames()
    const { buildings, floors } = await listPlaces(db, clientUid)
    const building = new Map(buildings.map((row) => [row.uid, row]))
    for (const floor of floors) {
      const { code, name } = building.get(floor.buildingUid) ?? { code: '', name: '' }
      const cell = `${code}/${floor.code}`
      names.#byUid.set(floor.uid, cell)
      if (floor.isRetired) continue
      for (const own of [floor.code, floor.name])
        for (const text of [`${code}/${own}`, `${name}/${own}`, own]) names.#learn(plain(text), cell)
    }
    return names
  }

  #learn(text: string, cell: string) {
    this.#byName.set(text, (this.#byName.get(text) ?? new Set()).add(cell))
  }

  /** The cell of a stored floor, or ''. */
  stored = (uid: string | null) => (uid === null ? '' : (this.#byUid.get(uid) ?? ''))

  /** The cells of the import format that the text may mean. */
  meant = (text: string): string[] => [...(this.#byName.get(plain(text)) ?? [])]
}
