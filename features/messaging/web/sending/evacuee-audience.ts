import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import { type SafetyStatus, safetyLabel } from '#kernel/vocabulary.ts'
import type { Say } from '#web/live/response.ts'

interface Building {
  buildingId: string
  name: string
  floors: readonly { id: string; name: string }[]
}
/** Floors of the event at the site, and of the warden's own area. Undefined until they are read. */
export interface AudienceSite {
  all: readonly Building[] | undefined
  own: readonly Building[] | undefined
}
export interface Chip {
  text: string
  status?: SafetyStatus
}
export interface AudienceWords {
  chips: readonly Chip[]
  /** 'Unknown, in Tower A, all 7 floors. Not Tower B.' */
  sentence: string
}

/** Buildings left out are named up to this many. */
const fewBuildings = 3
/** Floors of a building are named up to this many. */
const fewFloors = 3

/** Whom these filters find, in words. */
export function audienceWords(filters: FilterSet, site: AudienceSite, say: Say): AudienceWords {
  const { display, area } = filters
  const who: Chip =
    display === 'all' ? { text: 'Everyone' } : { text: say(safetyLabel(display, false)), status: display }
  const narrowed = narrowings(filters, say)
  const { places, left } = placesOf(filters, site)
  const where = area === 'my area' ? ['My Area', ...places] : places
  const inside = area === 'my area' && places.length > 0 ? `My Area (${places.join('; ')})` : where.join('; ')
  const words = [who.text, ...narrowed.map(({ words }) => words), `in ${inside}`].join(', ')
  return {
    chips: [who, ...narrowed, ...where.map((text) => ({ text }))],
    sentence: left ? `${words}. Not ${left}.` : `${words}.`,
  }
}

/** The filters besides status and area, each as a chip and in a sentence. */
function narrowings({ assist, visitor, refusal, message, search }: FilterSet, say: Say) {
  return [
    assist && { text: 'Assist', words: 'who need assistance' },
    visitor && { text: 'Visitors', words: 'visitors' },
    refusal && { text: say('Refuses to evacuate'), words: say('who refuse to evacuate') },
    message === 'unread' && { text: 'unread', words: 'with unread messages' },
    message === 'no reply' && { text: 'no reply', words: 'who have not replied' },
    search !== '' && { text: `“${search}”`, words: `found by “${search}”` },
  ].filter((one) => one !== false)
}

/** The buildings with their floors, and the buildings that are left out. */
function placesOf({ area, floors }: FilterSet, { all, own }: AudienceSite): { places: string[]; left: string } {
  const known = area === 'my area' ? own : all
  if (!all || !known) return { places: unread(area, floors.length), left: '' }
  const named = new Set<string>(area === 'building' ? floors : known.flatMap(floorsOf))
  const whole = new Set(area === 'building' ? [] : known.map(({ buildingId }) => buildingId))
  const isIn = (building: Building) => whole.has(building.buildingId) || floorsOf(building).some((id) => named.has(id))
  const chosen = all.filter(isIn)
  if (chosen.length === 0) return { places: ['no floor of this event'], left: '' }
  const isEverything = chosen.length === all.length && all.flatMap(floorsOf).every((id) => named.has(id))
  if (isEverything && all.length > fewBuildings) return { places: [`all ${all.length} buildings`], left: '' }
  return {
    places: chosen.map((building) => buildingWords(building, named)),
    left: leftWords(all.filter((building) => !isIn(building))),
  }
}

const floorsOf = ({ floors }: Building) => floors.map(({ id }) => id)

function buildingWords({ name, floors }: Building, named: ReadonlySet<string>): string {
  const here = floors.filter(({ id }) => named.has(id))
  if (floors.length === 0) return name
  if (here.length === floors.length && floors.length > 1) return `${name}, all ${floors.length} floors`
  if (here.length <= fewFloors) return [name, ...here.map((floor) => floor.name)].join(', ')
  return `${name}, ${here.length} of ${floors.length} floors`
}

const leftWords = (left: readonly Building[]) =>
  left.length > fewBuildings ? `the ${left.length} other buildings` : left.map(({ name }) => name).join(', ')

/** While the floors are not known by name. */
function unread(area: FilterSet['area'], count: number): string[] {
  if (area === 'my area') return []
  return [area === 'everyone' ? 'every floor' : `${count} ${count === 1 ? 'floor' : 'floors'}`]
}
