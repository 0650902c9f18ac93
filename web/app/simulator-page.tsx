import { SimulatorScreen } from '#features/texts/web/simulator-screen.tsx'
import { NotFound } from './not-found.tsx'

export const Simulator = () => <SimulatorScreen switchedOff={<NotFound />} />
