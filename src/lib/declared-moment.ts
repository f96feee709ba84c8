// When what stands in the configuration file was made, as far as answers tell: roles and locales have no moment of their
// own, and one of the process would differ from start to start and between processes.

export const DECLARED_MOMENT = '2024-01-01T00:00:00.000Z'
