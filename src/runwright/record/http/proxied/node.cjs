// Leads the requests of releases of Node that know no HTTP_PROXY through it: a tunnel for each connection.
'use strict'

const [major, minor] = process.versions.node.split('.').map(Number)
const knows = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
const written = process.env.HTTP_PROXY || ''

if (written && !knows) {
  try {
    hook(new URL(written))
  } catch {
    // as it would be without
  }
}

function hook (proxy) {
  const http = require('node:http')
  const https = require('node:https')
  const tls = require('node:tls')
  const direct = http.Agent.prototype.createConnection

  const around = new Set((process.env.NO_PROXY || '').split(',').filter(Boolean))
  const goes = (host, port) => !around.has(`${host}:${port}`) && !around.has(host)

  // a socket on which the far end answers, whatever is spoken there
  function tunnel (host, port, done) {
    const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const asking = http.request({
      host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: where, headers: { host: where },
      createConnection: (options) => direct.call(http.globalAgent, options)
    })
    asking.once('connect', (answer, socket) => {
      if (answer.statusCode === 200) return done(null, socket)
      socket.destroy()
      done(new Error(`the proxy refused ${where}: ${answer.statusCode}`))
    })
    asking.once('error', done)
    asking.end()
  }

  function through (agent, standard) {
    const real = agent.prototype.createConnection
    agent.prototype.createConnection = function (...given) {
      const [options, done] = given
      const host = options && (options.host || options.hostname)
      if (!host || options.socketPath || options.socket || typeof done !== 'function' || !goes(host, options.port || standard)) {
        return real.apply(this, given)
      }
      tunnel(host, options.port || standard, (error, socket) => {
        if (error) return done(error)
        if (standard === 80) return done(null, socket)
        try {
          done(null, real.call(this, { ...options, socket }))
        } catch (wrong) {
          done(wrong)
        }
      })
    }
  }

  through(http.Agent, 80)
  through(https.Agent, 443)

  const fetching = globalThis.fetch
  if (typeof fetching !== 'function') return
  let ready = null
  globalThis.fetch = async function fetch (...given) {
    ready ??= fetching('data:,').then(lead, () => {}) // which loads what is to be led
    await ready
    return fetching.apply(this, given)
  }

  function lead () {
    const key = Symbol.for('undici.globalDispatcher.1')
    const Agent = globalThis[key].constructor
    const plain = new Agent()
    const led = new Agent({
      connect (options, done) {
        const secure = options.protocol === 'https:'
        const port = options.port || (secure ? 443 : 80)
        tunnel(options.hostname, port, (error, socket) => {
          if (error || !secure) return done(error, socket)
          const name = options.servername || options.hostname
          const wrapped = tls.connect({ socket, servername: require('node:net').isIP(name) ? '' : name, host: name, ALPNProtocols: ['http/1.1'] })
          wrapped.once('secureConnect', () => done(null, wrapped))
          wrapped.once('error', done)
        })
      }
    })
    const dispatch = led.dispatch
    led.dispatch = function (options, handler) {
      const origin = new URL(options.origin)
      const port = origin.port || (origin.protocol === 'https:' ? 443 : 80)
      return goes(origin.hostname, port) ? dispatch.call(this, options, handler) : plain.dispatch(options, handler)
    }
    globalThis[key] = led
  }
}
