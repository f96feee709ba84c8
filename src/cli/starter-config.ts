// The configuration that `cms-run init` writes: small, complete, and with content to request.

export const starterConfig = `# yaml-language-server: $schema=./node_modules/cms-run/schemas/cms.schema.json
# Start it with "cms-run" and open http://localhost:1337/api/articles?populate=author
# Every edit of this file is live at once; "cms-run validate" checks it without starting.

contentTypes:
  article:
    options: { draftAndPublish: true }
    attributes:
      title: { type: string, required: true, maxLength: 120 }
      slug: { type: uid, targetField: title }
      body: richtext
      author: { type: relation, relation: manyToOne, target: api::author.author, inversedBy: articles }

  author:
    attributes:
      name: { type: string, required: true }
      articles: { type: relation, relation: oneToMany, target: api::article.article, mappedBy: author }

# Everything is private until a role or an API token may do it.
auth:
  roles:
    public: { permissions: [article.find, article.findOne, author.find, author.findOne] }

# The database is in memory, and begins with these entries at every start. To keep what is written:
# database: { client: sqlite, filename: .data/cms.db }
data:
  author:
    - { $ref: ann, name: Ann }
  article:
    - { title: Hello, slug: hello, body: The first one., author: $ann }
    - { title: Not yet, slug: not-yet, publishedAt: null, author: $ann }
`
