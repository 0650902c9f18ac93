import { CommandLine } from '#features/command/web/command-line.tsx'
import { useAuth } from '../../session/stored-auth.ts'
import { DrillBanner } from './drill-banner.tsx'

/** While a drill runs, on every page of everyone in it, with the line of who is in command. */
export const DrillBar = () => (
  <DrillBanner isDrill={useAuth()?.event_kind === 'drill'}>
    <div aria-live="off" className="contents">
      <CommandLine className="drill-command" />
    </div>
  </DrillBanner>
)
