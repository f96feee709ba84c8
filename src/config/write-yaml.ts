// A configuration as an object -> the text of a file, for those who go on writing it by hand.

import { stringify } from 'yaml'

export function writeYaml(config: object): string {
  return stringify(config, { lineWidth: 110, aliasDuplicateObjects: false, version: '1.2', schema: 'core' })
}
