import { SimulatorScreen } from '../features/simulator/simulator-screen.tsx'
import { NotFound } from './not-found.tsx'

export const Simulator = () => <SimulatorScreen switchedOff={<NotFound />} />
