// Names the templates of `cms-run init`; the first is the default.

export const templateNames = ['blog', 'shop', 'site', 'calendar'] as const
export type TemplateName = (typeof templateNames)[number]
