// Every recorded case, over the in-process fetch and over a real socket (README.md).

import { describeAreas, describeLists } from './describe-corpus.ts'
import { strapi4 } from './strapi-4.ts'

describeAreas(strapi4, Object.keys(strapi4.areas))
describeLists(strapi4)
