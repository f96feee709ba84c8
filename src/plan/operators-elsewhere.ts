// Operator names of refine's data providers, Strapi 3 and MongoDB. They are refused, because the most similar name may
// mean the opposite (`$nbetween` and `$between`); the error says what to use instead.

const not = (name: string): string => `$not with ${name}, as in filters[name][$not][${name}]`

/** Name in lower case -> what to use instead. */
export const operatorsElsewhere: ReadonlyMap<string, string> = new Map([
  ['$neq', '$ne'],
  ['$nin', '$notIn'],
  ['$ina', '$in on the relation, as in filters[tags][id][$in][0]=1, joined by $and'],
  ['$nina', not('$in')],
  ['$nnull', '$notNull'],
  ['$exists', '$notNull'],
  ['$containss', '$contains'],
  ['$ncontains', '$notContainsi'],
  ['$ncontainss', '$notContains'],
  ['$nbetween', not('$between')],
  ['$notbetween', not('$between')],
  ['$startswiths', '$startsWith'],
  ['$nstartswith', not('$startsWithi')],
  ['$nstartswiths', not('$startsWith')],
  ['$notstartswith', not('$startsWith')],
  ['$notstartswithi', not('$startsWithi')],
  ['$endswiths', '$endsWith'],
  ['$nendswith', not('$endsWithi')],
  ['$nendswiths', not('$endsWith')],
  ['$notendswith', not('$endsWith')],
  ['$notendswithi', not('$endsWithi')],
  ['$like', '$contains'],
  ['$ilike', '$containsi'],
  ['$regex', '$contains, $startsWith or $endsWith'],
  ['$nor', '$not with $or, as in filters[$not][$or][0]'],
])
