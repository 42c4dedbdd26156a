/** Where a comment goes: what GitHub and GitLab tell a job of its pull or merge request. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

export interface CommentHost {
  readonly host: string
  /** The job, which has a comment of its own. */
  readonly job: string
  readonly headers: Readonly<Record<string, string>>
  /** Lists them by GET, writes one by POST. */
  readonly comments: string
  comment(id: number): string
  readonly updateMethod: 'PATCH' | 'PUT'
  /** Resolves to whether a comment was written with this token, as far as the host tells. */
  ownComments(ask: (url: string) => Promise<unknown>): Promise<(comment: object) => boolean>
  /** Said where the host refuses. */
  readonly wayOut: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Or why there is none. */
export function commentHost(environment: Environment): CommentHost | string {
  if (environment['GITHUB_ACTIONS'] === 'true') return githubHost(environment)
  if (environment['GITLAB_CI'] === 'true') return gitlabHost(environment)
  return 'this is no job of GitHub Actions or GitLab CI'
}

const event = z.looseObject({ pull_request: z.looseObject({ number: z.number() }) })
const someId = z.looseObject({ id: z.number() })
const byUser = z.looseObject({ user: someId })
const byBot = z.looseObject({ user: z.looseObject({ type: z.literal('Bot') }) })

function githubHost(environment: Environment): CommentHost | string {
  const { GITHUB_TOKEN: token = '', GITHUB_API_URL: api = 'https://api.github.com' } = environment
  const { GITHUB_REPOSITORY: repository = '', GITHUB_EVENT_PATH: path = '' } = environment
  const { GITHUB_WORKFLOW: workflow = '', GITHUB_JOB: job = '' } = environment
  const request = path === '' ? undefined : event.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  if (request === undefined) return 'this job is not one of a pull request'
  if (token === '') return 'GITHUB_TOKEN is not set for this step'
  const issues = `${api}/repos/${repository}/issues`
  return {
    host: 'GitHub',
    job: `${workflow}/${job}`,
    headers: { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' },
    comments: `${issues}/${request.pull_request.number}/comments`,
    comment: (id) => `${issues}/comments/${id}`,
    updateMethod: 'PATCH',
    async ownComments(ask) {
      // The token of a job cannot ask who it is; it is always a bot.
      const me = someId.safeParse(await ask(`${api}/user`).catch(() => undefined)).data?.id
      if (me === undefined) return (comment) => byBot.safeParse(comment).success
      return (comment) => byUser.safeParse(comment).data?.user.id === me
    },
    wayOut:
      'the job needs the permission pull-requests: write, which a pull request from a fork does not get',
  }
}

const byAuthor = z.looseObject({ author: someId })

function gitlabHost(environment: Environment): CommentHost | string {
  const { GITLAB_TOKEN: token = '', CI_API_V4_URL: api = '', CI_PROJECT_ID: project = '' } = environment
  const { CI_MERGE_REQUEST_IID: request = '', CI_JOB_NAME: job = '' } = environment
  if (request === '') return 'this job is not one of a merge request'
  if (token === '') return 'GITLAB_TOKEN is not set: CI_JOB_TOKEN may not write comments'
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(request)}/notes`
  return {
    host: 'GitLab',
    job,
    headers: { 'private-token': token },
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    updateMethod: 'PUT',
    async ownComments(ask) {
      const { id } = someId.parse(await ask(`${api}/user`))
      return (comment) => byAuthor.safeParse(comment).data?.author.id === id
    },
    wayOut: 'GITLAB_TOKEN needs the scope api and the role of a reporter',
  }
}
