import { usePathname } from 'wouter/use-browser-location'
import { readParameters } from './find-page.ts'

/** What the address holds in the places that the page table names, such as `wardenAssignmentUID`. */
export const usePageParameters = () => readParameters(usePathname())
