import { getOperationAST, Kind, parse, validate, type OperationDefinitionNode } from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import { expect, it } from 'vitest'
import { READY_DOCUMENTS } from '../../../gateway/graphql/ready-documents.ts'
import { buildGraph } from '../../../schema/build-graph.ts'

const schema = buildGraph()

it('the explorer’s documents are valid, and each of their operations has its own name', () => {
  expect(READY_DOCUMENTS.length).toBeGreaterThan(5)
  for (const { query } of READY_DOCUMENTS) {
    const document = parse(query)
    expect(validate(schema, document).map(({ message }) => message)).toEqual([])
    const names = operationsOf(query).map(({ name }) => name?.value)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(getOperationAST(document, name)).toBeTruthy()
  }
})

it('the first operation of each document of the explorer has all the variables that it needs', () => {
  for (const { query, variables = {} } of READY_DOCUMENTS) {
    const [operation] = operationsOf(query)
    const { variableValues, errors } = getVariableValues(
      schema,
      operation?.variableDefinitions ?? [],
      variables,
    )
    expect([errors, variableValues]).toEqual([undefined, expect.anything()])
  }
})

const operationsOf = (query: string) =>
  parse(query).definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )
