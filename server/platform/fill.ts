/** The names in braces of a template, but `link`, which is filled in when it is sent. */
type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'link'> | NamesIn<Rest>
  : never

/** A value as it may stand in a mail or a text: in one line, and without a place for a link. */
export const asValue = (value: string | number): string =>
  String(value)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')

/**
 * Puts values that people wrote into a mail or a text. What they wrote is no template: no link gets into it, and no line
 * of ours can be written by it. `{link}` stays.
 */
export const fill = <Template extends string>(
  template: Template,
  values: Record<NamesIn<Template>, string | number>,
): string =>
  template.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? asValue(values[name as NamesIn<Template>]) : place,
  )
