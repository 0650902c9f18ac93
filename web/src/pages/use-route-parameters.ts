import { useLocation } from 'react-router'
import { readParameters } from './routes.ts'

/** What the address holds in the places that the route table names, such as `wardenAssignmentUID`. */
export const useRouteParameters = () => readParameters(useLocation().pathname)
