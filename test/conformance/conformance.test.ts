// Every recorded case, over the in-process fetch and over a real socket (README.md).

import { describeDoor, describeLists } from './describe-corpus.ts'
import { strapi4 } from './strapi-4.ts'

describeDoor(strapi4, 'fetch', Object.keys(strapi4.areas))
describeDoor(strapi4, 'socket', Object.keys(strapi4.areas))
describeLists(strapi4)
