// The templates of `cms-run init`, files of `examples/templates/`; the first is the one without `--template`.

export const templateNames = ['blog', 'shop', 'site', 'calendar'] as const
export type TemplateName = (typeof templateNames)[number]
