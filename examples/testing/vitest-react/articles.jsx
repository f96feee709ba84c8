import { useCallback, useEffect, useState } from 'react'

/** The titles of the articles, most read first, and a form for another one. */
export function Articles({ token }) {
  const [articles, setArticles] = useState()
  const [fault, setFault] = useState()
  const load = useCallback(async () => {
    const response = await fetch('/api/articles?sort=views:desc')
    const { data, error } = await response.json()
    if (error) setFault(error.message)
    else setArticles(data)
  }, [])
  useEffect(() => void load(), [load])

  const add = async (event) => {
    event.preventDefault()
    const title = new FormData(event.target).get('title')
    const response = await fetch('/api/articles', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ data: { title } }),
    })
    const { error } = await response.json()
    if (error) setFault(error.message)
    else await load()
  }

  return (
    <main>
      {fault && <p role="alert">{fault}</p>}
      <ul>
        {articles?.map(({ id, attributes }) => (
          <li key={id}>{attributes.title}</li>
        ))}
      </ul>
      <form onSubmit={add}>
        <input name="title" aria-label="Title" />
        <button type="submit">Add</button>
      </form>
    </main>
  )
}
