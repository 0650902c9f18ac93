import { memo } from 'react'
import type { Say } from '#kernel/action-words.ts'
import { counted } from '../parts/ages.ts'
import { Cell } from './cell.tsx'
import type { Form } from './fit-to-screen.ts'
import { type BuildingShown, clearedOf, dangerOf, isSameBuilding, realFloorsOf } from './floors.ts'
import { ageOf, Row } from './row.tsx'

interface BuildingProps {
  building: BuildingShown
  form: Form
  /** Seconds since the event began. Null where no ages are shown: a second that passes draws nothing anew. */
  now: number | null
  /** The selected floor, if it is of this building. */
  selected: number | null
}

/** Of a refresh that changes one floor, one building is drawn anew. */
const isSame = (a: BuildingProps, b: BuildingProps) =>
  a.form === b.form && a.now === b.now && a.selected === b.selected && isSameBuilding(a.building, b.building)

/** A building as it stands, the highest floor on top. Its floors are one column of the grid. */
export const Building = memo(function Building({ building, form, now, selected }: BuildingProps) {
  const { place, floors, isWhole } = building
  const Floor = form === 'rows' ? Row : Cell
  return (
    <section aria-label={place.name} className="bd-building">
      <BuildingHead building={building} />
      {form === 'rows' && <Columns say={building.say} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a table has no keys of its own */}
      <div role="grid" aria-label={`Floors of ${place.name}`} className="bd-floors">
        {floors.map((shown) => (
          <Floor
            key={shown.place.id}
            building={place.name}
            shown={shown}
            isWhole={isWhole}
            isSelected={shown.nth === selected}
            {...ageOf(shown, now)}
          />
        ))}
      </div>
      {floors.length === 0 && <p className="bd-empty">No floors</p>}
    </section>
  )
}, isSame)

function BuildingHead({ building }: { building: BuildingShown }) {
  const { place, short, gap, isWhole, wardens, say } = building
  const danger = dangerOf(building)
  return (
    <header>
      <h2 title={place.name}>
        <span className="bd-building-name">{place.name}</span>
        <span aria-hidden className="bd-building-short">
          {short}
        </span>
      </h2>
      <p>
        {`${say(`${clearedOf(building)} of ${realFloorsOf(building)} cleared`)}${isWhole && gap === undefined ? `, ${counted(wardens, 'warden')}` : ''}`}
      </p>
      {gap !== undefined && <span className="bd-no-warden bd-tag">No warden</span>}
      {danger > 0 && (
        <span className="bd-danger bd-tag">
          <span>{danger}</span>
          <span className="bd-tag-words">{say(`${danger} in danger`).slice(`${danger}`.length)}</span>
        </span>
      )}
    </header>
  )
}

const Columns = ({ say }: { say: Say }) => (
  <div aria-hidden className="bd-columns">
    <span />
    <span />
    <span className="bd-name" />
    <span>Status</span>
    <span>Age</span>
    <span>People</span>
    <span>Unk.</span>
    <span>{say('Dgr')}</span>
    <span>Wdn</span>
    <span />
  </div>
)
