// The commands of the block editor's keys and buttons, beside ProseMirror's own.

import { lift, wrapIn } from 'prosemirror-commands'
import { Fragment, type Node } from 'prosemirror-model'
import { type Command, NodeSelection, TextSelection, type Transaction } from 'prosemirror-state'
import { say } from '../messages.ts'
import { schema } from './schema.ts'

const { nodes, marks } = schema

export type Kind =
  | 'paragraph'
  | `heading-${1 | 2 | 3 | 4 | 5 | 6}`
  | 'unordered'
  | 'ordered'
  | 'quote'
  | 'code'

/** In the order in which they are offered. */
export function nameKinds(): Readonly<Record<Kind, string>> {
  const nameHeading = (level: number): string => say('Heading {level}', { level })
  return {
    paragraph: say('Paragraph'),
    'heading-1': nameHeading(1),
    'heading-2': nameHeading(2),
    'heading-3': nameHeading(3),
    'heading-4': nameHeading(4),
    'heading-5': nameHeading(5),
    'heading-6': nameHeading(6),
    unordered: say('Bulleted list'),
    ordered: say('Numbered list'),
    quote: say('Quote'),
    code: say('Code'),
  }
}

export function getKindAt({
  doc,
  selection: { $from },
}: Pick<Transaction, 'doc' | 'selection'>): Kind | undefined {
  for (let { depth } = $from; depth > 0; depth -= 1) {
    const { type, attrs } = $from.node(depth)
    if (type === nodes.list) return attrs['format']
    if (type === nodes.heading) return `heading-${attrs['level']}` as Kind
    if (type === nodes.code_block) return 'code'
    if (type === nodes.paragraph || type === nodes.quote) return type.name as Kind
  }
  const known = doc.maybeChild($from.index(0))?.type
  return known === nodes.paragraph ? 'paragraph' : undefined
}

export function setKind(kind: Kind): Command {
  return (state, dispatch) => {
    const tr = applyKind(state.tr, kind)
    if (tr.docChanged) dispatch?.(tr.scrollIntoView())
    return tr.docChanged
  }
}

export function applyKind(tr: Transaction, kind: Kind): Transaction {
  const { $from, $to, from, to } = tr.selection
  const isList = kind === 'ordered' || kind === 'unordered'
  const within = $from.sharedDepth(to)
  for (let depth = within; isList && depth > 0; depth -= 1)
    if ($from.node(depth).type === nodes.list)
      return tr.setNodeMarkup($from.before(depth), undefined, { ...$from.node(depth).attrs, format: kind })
  const [first, last] = [$from.index(0), Math.min($to.index(0), tr.doc.childCount - 1)]
  const made: Node[] = []
  let start = 0
  let end = 0
  tr.doc.forEach((node, offset, index) => {
    if (index < first || index > last) return
    if (index === first) start = offset
    end = offset + node.nodeSize
    made.push(...converted(node, kind, (at, size) => offset + at < to && offset + at + size > from))
  })
  const places = [tr.selection.anchor, tr.selection.head].map((place) => findTextPlace(tr.doc, place))
  tr.replaceWith(start, end, isList ? joined(made) : made)
  const [anchor, head] = places.map((place) => place && getPosition(tr.doc, place))
  if (anchor !== undefined && head !== undefined) tr.setSelection(TextSelection.create(tr.doc, anchor, head))
  return tr
}

function converted(node: Node, kind: Kind, chosen: (at: number, size: number) => boolean): readonly Node[] {
  if (node.isTextblock) return [textBlock(node, kind)]
  if (node.type !== nodes.list) return [node]
  const made: Node[] = []
  let rest: Node[] = []
  const close = (): void => {
    if (rest.length > 0) made.push(node.type.create(node.attrs, rest))
    rest = []
  }
  node.forEach((item, offset) => {
    if (!chosen(offset + 1, item.nodeSize)) {
      rest.push(item)
      return
    }
    close()
    if (item.isTextblock) made.push(textBlock(item, kind))
    else if (item.type === nodes.unknown_item) made.push(nodes.unknown_block.create(item.attrs))
    else made.push(...converted(item, kind, (at, size) => chosen(offset + 1 + at, size)))
  })
  close()
  return made
}

function textBlock(node: Node, kind: Kind): Node {
  const { content } = node
  const [name, level] = kind.split('-')
  if (kind === 'ordered' || kind === 'unordered')
    return nodes.list.create({ format: kind }, [nodes.list_item.create(null, content)])
  if (kind !== 'code')
    return nodes[name as 'paragraph' | 'heading' | 'quote'].create(
      level === undefined ? null : { level: Number(level) },
      content,
    )
  // Code holds texts only, without links.
  const texts = node.children.map((child) => child.mark(marks.link.removeFromSet(child.marks)))
  return texts.every(({ isText }) => isText) ? nodes.code_block.create(null, Fragment.from(texts)) : node
}

function joined(blocks: readonly Node[]): readonly Node[] {
  const found: Node[] = []
  for (const block of blocks) {
    const last = found.at(-1)
    const together = last?.type === nodes.list && block.type === nodes.list
    if (together) found[found.length - 1] = last.copy(last.content.append(block.content))
    else found.push(block)
  }
  return found
}

interface TextPlace {
  readonly block: number
  readonly offset: number
}

function findTextPlace(doc: Node, position: number): TextPlace | undefined {
  let count = 0
  let found: TextPlace | undefined
  doc.descendants((node, at) => {
    if (!node.isTextblock) return
    if (position > at && position <= at + node.nodeSize - 1)
      found = { block: count, offset: position - at - 1 }
    count += 1
  })
  return found
}

function getPosition(doc: Node, { block, offset }: TextPlace): number | undefined {
  let count = 0
  let found: number | undefined
  doc.descendants((node, at) => {
    if (!node.isTextblock) return
    if (count === block) found = at + 1 + Math.min(offset, node.content.size)
    count += 1
  })
  return found
}

/** An item below another goes into a list of its own within the list. */
export const nestItem: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type !== nodes.list_item || $from.index(-1) === 0) return false
  const { format } = $from.node(-1).attrs
  return wrapIn(nodes.list, { format })(
    state,
    dispatch &&
      ((tr) => {
        const start = tr.selection.$from.before(-1)
        const before = tr.doc.resolve(start).nodeBefore
        if (before?.type === nodes.list) tr.join(start)
        dispatch(tr.scrollIntoView())
      }),
  )
}

/** At the outermost depth the item becomes a paragraph. */
export const unnestItem: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type !== nodes.list_item) return false
  return $from.node(-2).type === nodes.list ? lift(state, dispatch) : setKind('paragraph')(state, dispatch)
}

export const endList: Command = (state, dispatch) =>
  state.selection.empty && state.selection.$from.parent.content.size === 0 && unnestItem(state, dispatch)

/** Backspace at the beginning of a block turns it into a paragraph. */
export const plainAtStart: Command = (state, dispatch) => {
  const { empty, $from } = state.selection
  if (!empty || $from.parentOffset > 0 || !$from.parent.isTextblock) return false
  if ($from.parent.type === nodes.paragraph) return false
  if ($from.parent.type === nodes.list_item) return $from.index(-1) === 0 && unnestItem(state, dispatch)
  return setKind('paragraph')(state, dispatch)
}

export const endCode: Command = (state, dispatch) => {
  const { empty, $from } = state.selection
  const { parent } = $from
  if (!empty || parent.type !== nodes.code_block || $from.parentOffset < parent.content.size) return false
  if (!parent.textContent.endsWith('\n')) return false
  const end = $from.after()
  const tr = state.tr.insert(end, nodes.paragraph.create()).delete(end - 2, end - 1)
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView())
  return true
}

export const newLine: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.isTextblock) return false
  dispatch?.(state.tr.insertText('\n').scrollIntoView())
  return true
}

export function moveBlock(by: -1 | 1): Command {
  return (state, dispatch) => {
    const { selection } = state
    const { $from } = selection
    const depth = $from.parent.type === nodes.list_item ? $from.depth - 1 : 0
    const parent = $from.node(depth)
    const index = $from.index(depth)
    const node = parent.maybeChild(index)
    const other = parent.maybeChild(index + by)
    if (node == null || other == null) return false
    const start = $from.posAtIndex(by < 0 ? index - 1 : index, depth)
    const tr = state.tr.replaceWith(
      start,
      start + node.nodeSize + other.nodeSize,
      by < 0 ? [node, other] : [other, node],
    )
    const moved = by * other.nodeSize
    if (selection instanceof NodeSelection)
      tr.setSelection(NodeSelection.create(tr.doc, selection.from + moved))
    else tr.setSelection(TextSelection.create(tr.doc, selection.anchor + moved))
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** An empty address removes the link. Without a selection, the address itself is the text. */
export function setLink(url: string): Command {
  return (state, dispatch) => {
    const { from, to, empty } = linkAt(state) ?? state.selection
    const tr = state.tr
    if (url === '') tr.removeMark(from, to, marks.link)
    else if (empty) tr.insert(from, schema.text(url, [marks.link.create({ url })]))
    else tr.removeMark(from, to, marks.link).addMark(from, to, marks.link.create({ url }))
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

export function linkAt({
  selection,
}: Pick<Transaction, 'selection'>): { from: number; to: number; empty: false; url: string } | undefined {
  const { $from, to } = selection
  const mark = marks.link.isInSet($from.marksAcross(selection.$to) ?? $from.marks())
  if (mark === undefined || to > $from.end()) return undefined
  let [first, last] = [-1, -1]
  $from.parent.forEach((node, offset) => {
    const at = $from.start() + offset
    if (!mark.isInSet(node.marks)) {
      if (at < $from.pos) [first, last] = [-1, -1]
      return
    }
    if (first === -1 && at > to) return
    if (first === -1 || last === at) [first, last] = [first === -1 ? at : first, at + node.nodeSize]
  })
  return first === -1 ? undefined : { from: first, to: last, empty: false, url: String(mark.attrs['url']) }
}

export function insertImage(image: object): Command {
  return (state, dispatch) => {
    const node = nodes.image.create({ image, children: [{ type: 'text', text: '' }] })
    const index = state.selection.$to.index(0)
    const at = state.selection.$to.posAtIndex(Math.min(index + 1, state.doc.childCount), 0)
    const tr = state.tr.insert(at, node)
    // The cursor continues below the image.
    const after = at + node.nodeSize
    if (after === tr.doc.content.size) tr.insert(after, nodes.paragraph.create())
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, at)).scrollIntoView())
    return true
  }
}
