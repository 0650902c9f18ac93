import { CircleCheck, LifeBuoy, type LucideIcon, MessageSquareText, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SelfReport } from '#features/self-report/calls.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { Age, type Moment } from '../source-line.tsx'

const looks = {
  help: { icon: LifeBuoy, edge: 'border-l-8 border-l-danger', ink: 'text-danger-ink', words: 'Call for help' },
  safe: { icon: CircleCheck, edge: 'border-l-8 border-l-safe', ink: 'text-safe', words: 'Says safe' },
  words: { icon: MessageSquareText, edge: 'border-l-8 border-l-unknown', ink: '', words: 'Text' },
} satisfies Record<SelfReport['says'], { icon: LucideIcon; edge: string; ink: string; words: string }>

/** Tells the buttons of one report from those of another. */
export function titleOf(report: SelfReport): string {
  const { says, way, name } = report
  const whose = name ?? (way === 'text' ? whoseNumber(report) : says === 'help' ? placeOf(report) : undefined)
  return `${headingOf(report)}${whose ? `: ${whose}` : ''}`
}

function headingOf({ says, name, unsure }: SelfReport): string {
  if (says === 'words' && name === null) return 'Text from an unknown number'
  return unsure ? 'May be a call for help' : looks[says].words
}

const whoseNumber = ({ mobile }: SelfReport) => mobile && `Unknown number ${shownMobile(mobile)}`
const waysIn: Record<SelfReport['way'], string> = {
  poster: 'By poster, unverified',
  link: 'Own page, unverified',
  text: 'By text, unverified',
  call: 'By key in a telephone call, unverified',
}

/** 'Tower A · Level 12' */
export function placeOf({ building, floor }: SelfReport): string {
  return [building?.name, floor?.name].filter(Boolean).join(' · ') || 'Place not known'
}

/** A number that was understood is kept as digits with the country code, any other as it was written. */
const shownMobile = (mobile: string) => (/^[1-9]\d{9,14}$/.test(mobile) ? `+${mobile}` : mobile)

interface ReportCardProps {
  report: SelfReport
  moment: Moment
  /** What can be done, or what was. */
  children: ReactNode
}

/** What someone said of themselves, in their own words, and whom it may be of. */
export function ReportCard({ report, moment, children }: ReportCardProps) {
  const { says, way, name, words, at, building } = report
  const mobile = report.mobile && shownMobile(report.mobile)
  const { icon: Icon, edge, ink } = looks[says]
  const isUnknown = way === 'text' && name === null && mobile !== null
  const number = mobile?.replace(/[^\d+]/g, '')
  return (
    <div className={`card grid gap-2 py-2 ${edge}`}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1 wrap-anywhere">
          <h3 className="flex items-center gap-1.5 text-lg leading-snug font-bold">
            <Icon aria-hidden size={22} className={`shrink-0 ${ink}`} />
            <span>{headingOf(report)}</span>
            {report.in_drill && <DrillMark />}
          </h3>
          {(says === 'help' || building) && <p className="font-semibold">{placeOf(report)}</p>}
          {words && (
            <p className="whitespace-pre-line">
              “<bdi>{words}</bdi>”
            </p>
          )}
          {report.elsewhere && <p className="font-semibold">This text may be for another organisation.</p>}
          {(name || mobile) && (
            <p>
              {[name, isUnknown ? whoseNumber(report) : mobile].filter(Boolean).map((part, nth) => (
                <span key={part}>
                  {nth > 0 && ' · '}
                  <bdi>{part}</bdi>
                </span>
              ))}
            </p>
          )}
          <p className="text-muted">
            {waysIn[way]}
            <Age at={at} moment={moment} />
          </p>
        </div>
        {number && (says === 'help' || way === 'text') && (
          <a href={`tel:${number}`} aria-label={`Call ${name ?? mobile}`} className="btn btn-icon">
            <Phone aria-hidden />
          </a>
        )}
      </div>
      {children}
    </div>
  )
}

/** A report of a drill, also once the drill has become a live event. */
export const DrillMark = () => <strong className="drill-badge text-base">Drill</strong>

/** Whom a report is of, or may be of, as they stand now. */
export function Proposed({ person }: { person: NonNullable<SelfReport['person']> }) {
  const { name, location, status } = person
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-xl border border-hairline px-3 py-2">
      <p className="min-w-0 wrap-anywhere">
        <strong className="block">{name}</strong>
        <span className="text-muted">{location}</span>
      </p>
      <StatusBadge status={status} />
    </div>
  )
}
