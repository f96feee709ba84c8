// Counts requests and their time, by route.

import type { HttpRequest, MatchedRoute } from '../../http/request.ts'
import type { OnResponse } from '../../http/server.ts'
import type { Counter, Histogram, Metrics } from '../metrics/metrics.ts'

/** Seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** By status class; class 0: the client disconnected before the response. */
const CLASSES = ['left', '1xx', '2xx', '3xx', '4xx', '5xx']

interface RouteSeries {
  readonly byClass: readonly Counter[]
  readonly seconds: Histogram
}

export function measureRequests(metrics: Metrics): OnResponse {
  const labels = ['method', 'route', 'face']
  const requests = metrics.counter('cms_http_requests_total', 'Answered requests.', [...labels, 'status'])
  const durations = metrics.histogram(
    'cms_http_request_duration_seconds',
    'Time from the head of a request to the last byte of its response.',
    BOUNDS,
    labels,
  )
  const known = new WeakMap<MatchedRoute, RouteSeries>()
  const heads = new WeakMap<MatchedRoute, RouteSeries>()
  const unknown = new Map<string, RouteSeries>()

  function getSeries(method: string, route: string, face: string): RouteSeries {
    return {
      byClass: CLASSES.map((status) => requests.of(method, route, face, status)),
      seconds: durations.of(method, route, face),
    }
  }

  function seriesFor({ method, route }: Pick<HttpRequest, 'method' | 'route'>): RouteSeries {
    if (route !== undefined) {
      const kept = method === 'HEAD' ? heads : known
      let found = kept.get(route)
      if (found === undefined) {
        found = getSeries(method === 'HEAD' ? method : route.method, route.path, route.face ?? 'other')
        kept.set(route, found)
      }
      return found
    }
    // Clients send any text as a method, so unknown ones share a label.
    const name = METHODS.includes(method) ? method : 'other'
    let found = unknown.get(name)
    if (found === undefined) {
      found = getSeries(name, 'none', 'none')
      unknown.set(name, found)
    }
    return found
  }

  return (request, reply, milliseconds) => {
    const { byClass, seconds } = seriesFor(request)
    byClass[reply === undefined ? 0 : Math.floor(reply.status / 100)]?.add()
    seconds.observe(milliseconds / 1000)
  }
}
