// Generated from the schemas in src by `npm run generate`; do not edit.

export const defaults = {
  "dialect": "strapi-4",
  "server": {
    "host": "127.0.0.1",
    "port": 1337,
    "environment": "development",
    "trustProxy": false,
    "workers": 1,
    "workerTimeout": "30s",
    "cors": {
      "origin": "*",
      "methods": [
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "HEAD",
        "OPTIONS"
      ],
      "headers": [
        "Content-Type",
        "Authorization",
        "Origin",
        "Accept"
      ],
      "credentials": false,
      "maxAge": 600
    },
    "limits": {
      "body": "1mb",
      "upload": "200mb",
      "bodies": "32mb",
      "requestTimeout": "30s",
      "bootstrap": "60s",
      "keepAlive": "10s",
      "unsent": "40mb",
      "requests": 2000,
      "rate": {
        "per": "caller",
        "interval": "1min"
      },
      "subscriptions": {
        "connection": 100,
        "caller": 1000,
        "server": 10000
      },
      "eventLoopDelay": "2s",
      "drain": "10s"
    },
    "trouble": {
      "seed": 0
    },
    "metrics": false,
    "log": {
      "level": "info"
    }
  },
  "rest": {
    "prefix": "/api",
    "defaultLimit": 25,
    "maxLimit": 100,
    "withCount": true,
    "strict": true,
    "strictRelations": false,
    "publicDrafts": true,
    "cache": "64mb",
    "compression": true,
    "limits": {
      "cost": 80000,
      "writeRows": 10000,
      "scanWarning": 20000
    }
  },
  "database": {
    "client": "memory",
    "durability": "full",
    "connection": {
      "host": "localhost",
      "port": 5432,
      "ssl": false
    },
    "schema": "public",
    "pool": {
      "min": 0,
      "max": 10,
      "acquireTimeout": "5s"
    },
    "statementTimeout": "10s",
    "pooler": false,
    "replicas": [],
    "migrations": {
      "destructive": "refuse"
    }
  }
} as const
