import { getOperationAST, parse, validate } from 'graphql'
import { expect, it } from 'vitest'
import { DEFAULT_QUERY } from '../../../gateway/graphql/default-query.ts'
import { buildGraph } from '../../../schema/build-graph.ts'

it("the explorer's default query is valid, and each of its operations has its own name", () => {
  const document = parse(DEFAULT_QUERY)
  expect(validate(buildGraph(), document).map(({ message }) => message)).toEqual([])
  const names = document.definitions.map((one) => ('name' in one ? one.name?.value : undefined))
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(getOperationAST(document, name)).toBeTruthy()
})
