// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface INameRegistry {
    function resolver(bytes32 node) external view returns (address);
}

interface IExtendedResolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

interface ISupportsInterface {
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}

/// Answers wallets' lookups of a name's records, by the interface of ENS's own. It finds the resolver of the name, or of one
/// above it that answers for names below (ENSIP-10). It passes offchain lookups on to the batch gateway (ERC-3668).
contract UniversalResolver {
    struct Query {
        address sender;
        string[] urls;
        bytes data;
    }

    /// A pending offchain lookup: its caller, and the callback for the answer.
    struct Pending {
        address sender;
        bytes4 callback;
        bytes extraData;
    }

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);

    INameRegistry public immutable registry;

    constructor(INameRegistry registry_) {
        registry = registry_;
    }

    /// @param name In DNS form. @param data A call of one of the resolver's record functions.
    /// @return The record as that function returns it, and the resolver that answered.
    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        (address resolver, bool isExtended) = findResolver(name);
        if (!isExtended) return (askPlain(resolver, data), resolver);
        (bool ok, bytes memory out) = resolver.staticcall(abi.encodeCall(IExtendedResolver.resolve, (name, data)));
        if (ok) return (abi.decode(out, (bytes)), resolver);
        if (bytes4(out) != OffchainLookup.selector) revert ResolverError(out);
        passOn(withoutSelector(out), gateways);
        revert();
    }

    /// Takes the batch gateway's answer to a single lookup to the resolver that wanted it.
    function resolveCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory, address)
    {
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        Pending memory pending = abi.decode(extraData, (Pending));
        if (failures[0]) revert ResolverError(responses[0]);
        (bool ok, bytes memory out) =
            pending.sender.staticcall(abi.encodeWithSelector(pending.callback, responses[0], pending.extraData));
        if (!ok) revert ResolverError(out);
        return (abi.decode(out, (bytes)), pending.sender);
    }

    function askPlain(address resolver, bytes calldata data) private view returns (bytes memory) {
        (bool ok, bytes memory out) = resolver.staticcall(data);
        if (!ok) revert ResolverError(out);
        return out;
    }

    function passOn(bytes memory lookup, string[] calldata gateways) private view {
        Query[] memory queries = new Query[](1);
        Pending memory pending;
        (queries[0].sender, queries[0].urls, queries[0].data, pending.callback, pending.extraData) =
            abi.decode(lookup, (address, string[], bytes, bytes4, bytes));
        pending.sender = queries[0].sender;
        revert OffchainLookup(
            address(this),
            gateways,
            abi.encodeWithSignature("query((address,string[],bytes)[])", queries),
            this.resolveCallback.selector,
            abi.encode(pending)
        );
    }

    function withoutSelector(bytes memory data) private pure returns (bytes memory rest) {
        rest = new bytes(data.length - 4);
        for (uint256 i; i < rest.length; i++) rest[i] = data[i + 4];
    }

    /// A resolver above the name itself counts only where it answers for names below its own.
    function findResolver(bytes calldata name) private view returns (address resolver, bool isExtended) {
        for (uint256 at; uint8(name[at]) != 0; at += 1 + uint8(name[at])) {
            resolver = registry.resolver(nodeAt(name, at));
            if (resolver == address(0)) continue;
            isExtended = supportsExtended(resolver);
            if (isExtended || at == 0) return (resolver, isExtended);
            break;
        }
        revert ResolverNotFound(name);
    }

    function supportsExtended(address resolver) private view returns (bool) {
        (bool ok, bytes memory out) =
            resolver.staticcall(abi.encodeCall(ISupportsInterface.supportsInterface, (type(IExtendedResolver).interfaceId)));
        return ok && out.length == 32 && abi.decode(out, (uint256)) == 1;
    }

    function nodeAt(bytes calldata name, uint256 at) private pure returns (bytes32) {
        uint256 end = at + 1 + uint8(name[at]);
        if (end == at + 1) return 0;
        return keccak256(abi.encodePacked(nodeAt(name, end), keccak256(name[at + 1:end])));
    }
}
