// Dates roles and locales of the configuration file: a start time would differ between starts and processes.

export const DECLARED_MOMENT = '2024-01-01T00:00:00.000Z'
