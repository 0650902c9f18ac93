interface Named {
  first_name: string
  last_name: string
}

/** 'Nora Lindqvist', or the one name that someone has. */
export const fullName = ({ first_name, last_name }: Named): string => `${first_name} ${last_name}`.trim()

/** As lists are ordered: 'Lindqvist, Nora', or the one name that someone has. */
export const listName = ({ first_name, last_name }: Named): string => [last_name, first_name].filter(Boolean).join(', ')
