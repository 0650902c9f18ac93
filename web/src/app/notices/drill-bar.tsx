import { useAuth } from '../../session/stored-auth.ts'
import { DrillBanner } from './drill-banner.tsx'

/** KIND-07: while a drill runs, on every page of everybody in it. */
export const DrillBar = () => <DrillBanner isDrill={useAuth()?.event_kind === 'drill'} />
