// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Registry {
    function resolver(bytes32 node) external view returns (address);
}

interface ExtendedResolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

/// What a wallet's library asks: finds the resolver of a name or of one above it, and passes its offchain lookup on.
contract UniversalResolver {
    struct Query {
        address sender;
        string[] urls;
        bytes data;
    }

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);

    Registry immutable registry;

    constructor(Registry registry_) {
        registry = registry_;
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        address resolver = findResolver(name);
        (bool ok, bytes memory out) = resolver.staticcall(abi.encodeCall(ExtendedResolver.resolve, (name, data)));
        if (ok) return (abi.decode(out, (bytes)), resolver);
        if (bytes4(out) != OffchainLookup.selector) revert ResolverError(out);
        bytes memory parameters = new bytes(out.length - 4);
        for (uint256 i; i < parameters.length; i++) parameters[i] = out[i + 4];
        (address sender, string[] memory urls, bytes memory callData, bytes4 callback, bytes memory extraData) =
            abi.decode(parameters, (address, string[], bytes, bytes4, bytes));
        Query[] memory queries = new Query[](1);
        queries[0] = Query(sender, urls, callData);
        revert OffchainLookup(
            address(this),
            gateways,
            abi.encodeWithSignature("query((address,string[],bytes)[])", queries),
            this.resolveCallback.selector,
            abi.encode(sender, callback, extraData)
        );
    }

    function resolveCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory, address)
    {
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        (address sender, bytes4 callback, bytes memory inner) = abi.decode(extraData, (address, bytes4, bytes));
        if (failures[0]) revert ResolverError(responses[0]);
        (bool ok, bytes memory out) = sender.staticcall(abi.encodeWithSelector(callback, responses[0], inner));
        if (!ok) revert ResolverError(out);
        return (abi.decode(out, (bytes)), sender);
    }

    function findResolver(bytes calldata name) internal view returns (address resolver) {
        for (uint256 at; uint8(name[at]) != 0; at += 1 + uint8(name[at])) {
            resolver = registry.resolver(nodeAt(name, at));
            if (resolver != address(0)) return resolver;
        }
        revert ResolverNotFound(name);
    }

    function nodeAt(bytes calldata name, uint256 at) internal pure returns (bytes32) {
        uint256 end = at + 1 + uint8(name[at]);
        if (end == at + 1) return 0;
        return keccak256(abi.encodePacked(nodeAt(name, end), keccak256(name[at + 1:end])));
    }
}
