/** The title of the article that is read most. */
export async function mostRead(fetch) {
  const response = await fetch('/api/articles?sort=views:desc&pagination[pageSize]=1')
  if (!response.ok) throw new Error(`the articles cannot be read: ${response.status}`)
  const { data } = await response.json()
  return data[0]?.attributes.title
}
