/** Who and what there was, by short names: 'b0' a building, 'f0.1' a floor of it, 'p3' a person, 'w2' a warden. */
export interface World {
  isDrill: boolean
  /** What the people of a building that joins do. */
  begins: string
  buildings: { id: string; name: string; floors: { id: string; name: string }[] }[]
  /** `home` is a floor, or a building of a visitor. */
  people: { id: string; home: string; isPlanned: boolean }[]
  wardens: {
    id: string
    name: string
    role: string
    /** The same human among the people. */
    person: string
    isSite: boolean
    isManager: boolean
    takesPart: boolean
    /** Floors, or whole buildings. */
    area: string[]
  }[]
  /** Clear and not clear. The first one of an action is that of its beginning; those where people leave are of none. */
  statuses: { id: string; name: string; isClear: boolean; action: string | null }[]
}

/** What an actor did, at a second of the event. `seen`: when they said that they saw it. */
export type Deed = { at: number; by?: string } & (
  | { did: 'start' | 'add' | 'remove'; buildings: string[] }
  | { did: 'live' | 'end' | 'on' | 'away' | 'off' }
  /** `named`: the floor that the warden said, `place`: where the person then was. */
  | { did: 'mark'; person: string; status: string; named: string; place: string; seen: number | null; stood: boolean }
  | { did: 'refuse'; person: string; refuses: boolean; seen: number | null }
  | { did: 'floor'; floor: string; status: string; seen: number | null; stood: boolean }
  | { did: 'take' | 'give'; floor: string }
  | { did: 'visit'; person: string; home: string }
  | { did: 'change'; buildings: string[]; action: string; again: boolean }
  /** A call has one number, however often it is made before its answer. More: beyond what is taken. */
  | { did: 'call' | 'answer'; call: number }
  | { did: 'more'; calls: number }
  | { did: 'instruct'; instruction: number; floors: string[] | null }
  | { did: 'understand'; instruction: number }
  /** Until `until`, the phone of a warden, the server or the feed was out of reach. */
  | { did: 'silent'; until: number }
  /** Sent after the end. */
  | { did: 'late' }
  | { did: 'outage'; until: number; what: 'server' | 'feed' }
)
export type Of<Did> = Deed & { did: Did }
