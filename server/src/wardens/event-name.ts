import { sql } from 'kysely'

/** What every screen calls event `e` of type `et`: its type's name and description (EVENT-46, AMB-083). */
export const eventName = { type: sql<string>`et.type`, description: sql<string>`et.description` }
